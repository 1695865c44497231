"""Where libcloud finds the object store after a log-in of either version: arguments: URL, user, password, tenant name."""
import sys

from libcloud.storage.providers import get_driver
from libcloud.storage.types import Provider

url, username, password, tenant_name = sys.argv[1:]

for version in ('2.0_password', '3.x_password'):
    driver = get_driver(Provider.OPENSTACK_SWIFT)(
        username, password, region='US-West', secure=False,
        ex_force_auth_url=url, ex_force_auth_version=version,
        ex_tenant_name=tenant_name, ex_domain_name='Default',
        ex_force_service_type='object-store', ex_force_service_name='Object Storage')
    driver.connection.get_service_catalog()
    print(f'{version}: {driver.connection.get_endpoint()}')
