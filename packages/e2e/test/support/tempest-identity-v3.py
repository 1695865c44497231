"""Tempest's clients of identity v3, unchanged, against an installation: URL, user name, password, project."""
import sys

from tempest.lib import auth, exceptions
from tempest.lib.services.identity import v3

url, username, password, project = sys.argv[1:5]
credentials = auth.KeystoneV3Credentials(
    username=username, password=password, project_name=project,
    user_domain_name='Default', project_domain_name='Default')
provider = auth.KeystoneV3AuthProvider(credentials, f'{url}/v3')


def client(name):
    return getattr(v3, name)(provider, 'identity', 'US-West', endpoint_type='public')


def gone(call, *arguments):
    try:
        call(*arguments)
    except exceptions.NotFound:
        return True
    return False


users, projects, roles = client('UsersClient'), client('ProjectsClient'), client('RolesClient')

made = projects.create_project('tempest', description='of tempest', domain_id='default')['project']
renamed = projects.update_project(made['id'], name='tempest-2', enabled=False)['project']
projects.update_project(made['id'], enabled=True)
shown = projects.show_project(made['id'])['project']
listed = projects.list_projects({'name': 'tempest-2'})['projects']
print('project', renamed['enabled'], shown['name'], [one['id'] == made['id'] for one in listed])

user = users.create_user(name='tempest', password='correct-horse', email='t@example.net',
                         description='of tempest', domain_id='default')['user']
users.update_user(user['id'], name='tempest-2')
found = users.list_users(name='tempest-2')['users']
print('user', user['email'], [one['name'] for one in found])

role = roles.create_role(name='tempest')['role']
roles.update_role(role['id'], name='tempest-2')
roles.create_user_role_on_project(made['id'], user['id'], role['id'])
roles.check_user_role_existence_on_project(made['id'], user['id'], role['id'])
roles.create_user_role_on_domain('default', user['id'], role['id'])
held = roles.list_user_roles_on_project(made['id'], user['id'])['roles']
assignments = client('RoleAssignmentsClient').list_role_assignments(
    **{'user.id': user['id'], 'include_names': True})['role_assignments']
of_user = users.list_user_projects(user['id'])['projects']
print('roles', [one['name'] for one in held], len(assignments), [one['name'] for one in of_user])
roles.delete_role_from_user_on_project(made['id'], user['id'], role['id'])
roles.delete_role_from_user_on_domain('default', user['id'], role['id'])

domains = client('DomainsClient')
print('domain', domains.show_domain('default')['domain']['name'],
      len(client('GroupsClient').list_groups()['groups']))
print('catalog', sorted(one['name'] for one in client('ServicesClient').list_services()['services']),
      sorted({one['region'] for one in client('EndPointsClient').list_endpoints()['endpoints']}),
      [one['id'] for one in client('RegionsClient').list_regions()['regions']])

roles.delete_role(role['id'])
users.delete_user(user['id'])
projects.delete_project(made['id'])
print('gone', gone(roles.show_role, role['id']), gone(users.show_user, user['id']),
      gone(projects.show_project, made['id']))
