"""The clients of designate-tempest-plugin, unchanged, against an installation: URL, user name, password, project of an operator."""
import importlib
import sys

from tempest.lib import auth, exceptions

url, username, password, project = sys.argv[1:5]
credentials = auth.KeystoneV3Credentials(
    username=username, password=password, project_name=project,
    user_domain_name='Default', project_domain_name='Default')
provider = auth.KeystoneV3AuthProvider(credentials, f'{url}/v3')


def client(module, name):
    found = importlib.import_module(f'designate_tempest_plugin.services.dns.v2.json.{module}_client')
    # oslo.log, which they load, writes errors to nowhere.
    sys.excepthook = sys.__excepthook__
    return getattr(found, name)(provider, 'dns', 'US-West', endpoint_type='public',
                                build_interval=1, build_timeout=100)


def gone(call, *arguments):
    try:
        call(*arguments)
    except exceptions.NotFound:
        return True
    return False


zones, recordsets = client('zones', 'ZonesClient'), client('recordset', 'RecordsetClient')

zone = zones.create_zone(name='tempest.example.', wait_until='ACTIVE')[1]
changed = zones.update_zone(zone['id'], ttl=700, wait_until='ACTIVE')[1]
listed = zones.list_zones({'name': 'tempest*'})[1]['zones']
print('zone', list(zone['attributes']), changed['ttl'], len(listed), len(zones.show_zone_nameservers(zone['id'])[1]['nameservers']))

data = {'name': 'www.tempest.example.', 'type': 'A', 'records': ['192.0.2.1'], 'ttl': 60}
made = recordsets.create_recordset(zone['id'], data, wait_until='ACTIVE')[1]
changed = recordsets.update_recordset(zone['id'], made['id'], {'records': ['192.0.2.2']}, wait_until='ACTIVE')[1]
moved = recordsets.show_zones_recordset(made['id'])[0]
print('recordset', changed['records'], moved.status,
      len(recordsets.list_recordset(zone['id'])[1]['recordsets']),
      [one['name'] for one in recordsets.list_owned_recordsets({'type': 'A'})])

exports = client('zone_exports', 'ZoneExportsClient')
export = exports.create_zone_export(zone['id'], wait_until='COMPLETE')[1]
# Not show_exported_zonefile: it reads no lines with a TTL, nor with tabs.
print('export', exports.show_zone_export(export['id'])[1]['status'], len(exports.list_zone_exports()[1]['exports']))
exports.delete_zone_export(export['id'])

imports = client('zone_imports', 'ZoneImportsClient')
text = '$ORIGIN imported-2.example.\n@ 60 IN SOA a.example. b.example. 1 2 3 4 5\nw 60 IN A 192.0.2.1\n'
done = imports.create_zone_import(text, wait_until='COMPLETE')[1]
zone_id = imports.show_zone_import(done['id'])[1]['zone_id']
imports.delete_zone_import(done['id'])
print('import', zones.show_zone(zone_id)[1]['name'], len(imports.list_zone_imports()[1]['imports']))

requests, accepts = client('transfer_request', 'TransferRequestClient'), client('transfer_accepts', 'TransferAcceptClient')
offer = requests.create_transfer_request_empty_body(zone_id)[1]
requests.update_transfer_request(offer['id'], {'description': 'x'})
print('transfer', requests.show_transfer_request(offer['id'])[1]['description'],
      len(requests.list_transfer_requests()[1]['transfer_requests']), 'transfer_accepts' in accepts.list_transfer_accept()[1])
requests.delete_transfer_request(offer['id'])

tlds, blacklists, keys = client('tld', 'TldClient'), client('blacklists', 'BlacklistsClient'), client('tsigkey', 'TsigkeyClient')
tld = tlds.create_tld('example')[1]
tld = tlds.update_tld(tld['id'], 'org', 'x')[1]
pattern = blacklists.create_blacklist('^bad\\.')[1]
pattern = blacklists.update_blacklist(pattern['id'], '^worse\\.')[1]
pools = client('pool', 'PoolClient')
pool = pools.list_pools()[1]['pools'][0]
of_key = {'algorithm': 'hmac-sha256', 'secret': 'BwcHBwcHBwcHBwcHBwcHBwcHBwc='}
key = keys.create_tsigkey(zone['id'], **of_key)[1]
key = keys.update_tsigkey(key['id'], name='tempest-2', scope='ZONE', **of_key)[1]
print('rules', tlds.show_tld(tld['id'])[1]['name'], blacklists.show_blacklist(pattern['id'])[1]['pattern'],
      keys.show_tsigkey(key['id'])[1]['name'], pools.show_pool(pool['id'])[1]['name'])
tlds.delete_tld(tld['id'])
blacklists.delete_blacklist(pattern['id'])
keys.delete_tsigkey(key['id'])

quotas = client('quotas', 'QuotasClient')
tenant = zone['project_id']
quotas.set_quotas(tenant, {'zones': 30})
shown = quotas.show_quotas(tenant)[1]['zones']
quotas.delete_quotas(tenant)
statuses = client('service', 'ServiceClient').list_statuses()
limits = client('designate_limit', 'DesignateLimitClient').list_designate_limits()
print('quotas', shown, quotas.show_quotas(tenant)[1]['zones'], limits['max_zones'],
      'UP' in {one['status'] for one in statuses})

recordsets.delete_recordset(zone['id'], made['id'])
for one in (zone['id'], zone_id):
    zones.delete_zone(one)
print('gone', gone(recordsets.show_recordset, zone['id'], made['id']), gone(zones.show_zone, zone['id']),
      gone(tlds.show_tld, tld['id']), gone(blacklists.show_blacklist, pattern['id']), gone(keys.show_tsigkey, key['id']))
