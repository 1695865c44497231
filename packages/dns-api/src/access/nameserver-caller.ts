/** Held on an account domain: whose token, for no tenant, lets it relay updates, and do nothing else. */
export const NAMESERVER_ROLE = 'nameserver';
/** No tenant has it. */
export const NO_TENANT = '';
