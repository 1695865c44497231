interface MailProvider {
  readonly id: string;
  readonly name: string;
  /** Priority and name of each server, as the provider tells all of its customers. */
  readonly servers: readonly (readonly [number, string])[];
}

/**
 * Mail providers with the same servers for all customers, as of 2026. Microsoft 365 and others assign servers to each customer. SPF and
 * DKIM records are left out since their content depends on the customer.
 */
export const MAIL_PROVIDERS: readonly MailProvider[] = [
  { id: 'google', name: 'Google Workspace', servers: [[1, 'smtp.google.com.']] },
  {
    id: 'fastmail',
    name: 'Fastmail',
    servers: [
      [10, 'in1-smtp.messagingengine.com.'],
      [20, 'in2-smtp.messagingengine.com.'],
    ],
  },
  {
    id: 'icloud',
    name: 'iCloud Mail',
    servers: [
      [10, 'mx01.mail.icloud.com.'],
      [10, 'mx02.mail.icloud.com.'],
    ],
  },
  {
    id: 'mailbox',
    name: 'mailbox.org',
    servers: [
      [10, 'mxext1.mailbox.org.'],
      [10, 'mxext2.mailbox.org.'],
      [20, 'mxext3.mailbox.org.'],
    ],
  },
  {
    id: 'proton',
    name: 'Proton Mail',
    servers: [
      [10, 'mail.protonmail.ch.'],
      [20, 'mailsec.protonmail.ch.'],
    ],
  },
  {
    id: 'zoho',
    name: 'Zoho Mail (zoho.com)',
    servers: [
      [10, 'mx.zoho.com.'],
      [20, 'mx2.zoho.com.'],
      [50, 'mx3.zoho.com.'],
    ],
  },
];

/** That a name takes no mail (RFC 7505). */
export const NO_MAIL = 'none';

/** @returns undefined: a server that is named by hand */
export function serversOf(id: string): MailProvider['servers'] | undefined {
  if (id === NO_MAIL) return [[0, '.']];
  return MAIL_PROVIDERS.find((each) => each.id === id)?.servers;
}
