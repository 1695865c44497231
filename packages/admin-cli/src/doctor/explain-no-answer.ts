/** Remedies by the code of node:dns: most codes are answers, which no firewall explains. */
const REMEDIES: Readonly<Record<string, string>> = {
  EREFUSED:
    'It answers, and does not have the domain (REFUSED). See its log and /readyz: whether it follows this database, and whether the address is that of this nameserver.',
  ESERVFAIL:
    'It answers, and cannot read the domain (SERVFAIL): it has no zones yet, or the domain could not be loaded. See its log and /readyz.',
  ENOTFOUND:
    'It answers that there is no such name. See whether the address is that of this nameserver.',
  ENODATA: 'It answers without an SOA record. See whether the address is that of this nameserver.',
  ECONNREFUSED:
    'Nothing listens there. See whether its process runs and on which address it listens; DOCTOR_NAMESERVERS says where to ask.',
};

const NO_ANSWER =
  'Look at firewalls between here and there for UDP and TCP, and whether it listens on that address; DOCTOR_NAMESERVERS says where to ask.';

/** Remedy for a nameserver that did not give an SOA record. */
export function explainNoAnswer(code: string | undefined): string {
  return REMEDIES[code ?? ''] ?? NO_ANSWER;
}
