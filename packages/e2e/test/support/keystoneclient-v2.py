"""What an old program does with python-keystoneclient's version 2.0: arguments: URL, user, password, tenant name."""
import sys
import warnings

warnings.simplefilter('ignore')

from keystoneclient import exceptions
from keystoneclient.v2_0 import client

url, username, password, tenant_name = sys.argv[1:]

keystone = client.Client(
    username=username, password=password, tenant_name=tenant_name, auth_url=url)
token = keystone.auth_token
print('identity at', keystone.service_catalog.url_for(
    service_type='identity', endpoint_type='adminURL'))
print('tenants', [tenant.name for tenant in keystone.tenants.list()])
print('validated for', keystone.tokens.validate(token).tenant['name'])

rescoped = client.Client(token=token, tenant_name=tenant_name, auth_url=url)
print('rescoping keeps the id:', rescoped.auth_token == token)

other = client.Client(
    username=username, password=password, tenant_name=tenant_name, auth_url=url)
keystone.tokens.delete(token)
try:
    other.tokens.validate(token)
except exceptions.NotFound:
    print('revoked')
