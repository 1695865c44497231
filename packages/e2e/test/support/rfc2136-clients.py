"""Sequences of programs that read a zone by AXFR and change it by dynamic updates (RFC 2136), all with one key.

octodns-bind calls dnspython in this way. external-dns uses miekg/dns: one AXFR for each zone, without EDNS, then
updates. `ixfr` follows a zone over UDP first, as dnspython does for a secondary.
"""
import sys

import dns.message
import dns.name
import dns.query
import dns.rcode
import dns.rdatatype
import dns.tsig
import dns.tsigkeyring
import dns.update
import dns.xfr
import dns.zone

_, program, host, port, zone, key, secret = sys.argv
port = int(port)
keyring = dns.tsigkeyring.from_text({key: secret})
signed = {'keyring': keyring, 'keyalgorithm': dns.tsig.HMAC_SHA256}


def show(content):
    for name, ttl, rdata in sorted(content.iterate_rdatas(), key=str):
        if rdata.rdtype != dns.rdatatype.SOA:
            print(name.derelativize(content.origin), ttl, dns.rdatatype.to_text(rdata.rdtype), rdata.to_text(origin=content.origin, relativize=False))


def send(update):
    answer = dns.query.tcp(update, host, port=port, timeout=15)
    print(dns.rcode.to_text(answer.rcode()))


def octodns():
    messages = dns.query.xfr(host, zone, port=port, timeout=15, relativize=False, **signed)
    content = dns.zone.from_xfr(messages, relativize=False)
    show(content)
    update = dns.update.Update(zone, **signed)
    update.add(f'octodns.{zone}', 300, 'A', '192.0.2.1', '192.0.2.2')
    update.delete(f'old.{zone}', 'TXT', '"old"')
    send(update)


def external_dns():
    query = dns.message.make_query(zone, 'AXFR')
    query.use_tsig(keyring, fudge=300, algorithm=dns.tsig.HMAC_SHA256)
    content = dns.zone.Zone(zone, relativize=False)
    dns.query.inbound_xfr(host, content, query, port=port, timeout=15)
    show(content)
    for name, kind, data in (('www', 'A', '192.0.2.3'), ('a-www', 'TXT', '"heritage=external-dns"')):
        update = dns.update.Update(zone, **signed)
        update.add(f'{name}.{zone}', 300, kind, data)
        send(update)


def ixfr():
    content = dns.zone.Zone(zone, relativize=False)

    def follow(mode):
        query, serial = dns.xfr.make_query(content, **signed)
        kind = dns.rdatatype.to_text(query.question[0].rdtype)
        dns.query.inbound_xfr(host, content, query, port=port, timeout=15, udp_mode=mode)
        soa = content.find_rdataset(zone, 'SOA')[0]
        print(kind, soa.serial - (serial or soa.serial))

    follow(dns.query.UDPMode.NEVER)
    for number in range(3):
        update = dns.update.Update(zone, **signed)
        update.add(f'ixfr{number}.{zone}', 300, 'A', '192.0.2.4')
        send(update)
        follow(dns.query.UDPMode.TRY_FIRST)
    show(content)


{'octodns': octodns, 'external-dns': external_dns, 'ixfr': ixfr}[program]()
