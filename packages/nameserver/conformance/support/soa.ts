/**
 * The SOA records of conformance/zones as they appear in negative answers, with the lower of TTL and MINIMUM as their
 * TTL (RFC 2308, section 5).
 */
export const SOA = {
  example:
    'example. 300 IN SOA ns.example.com. admin.example.com. 2026112101 14400 3600 1209600 300',
  corp: 'corp.test. 300 IN SOA ns1-1.servers.test. hostmaster.corp.test. 7 14400 3600 1209600 300',
  child:
    'child.corp.test. 120 IN SOA ns1-1.servers.test. hostmaster.corp.test. 3 14400 3600 1209600 120',
  partner:
    'partner.test. 30 IN SOA ns1-1.servers.test. hostmaster.partner.test. 9 14400 3600 1209600 30',
  odd: 'odd.test. 120 IN SOA ns1-1.servers.test. hostmaster.odd.test. 1 14400 3600 1209600 300',
} as const;
