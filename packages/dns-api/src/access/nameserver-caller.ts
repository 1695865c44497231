/** Role on an account domain. Its token, which has no tenant, may relay updates and nothing else. */
export const NAMESERVER_ROLE = 'nameserver';
/** No tenant has it. */
export const NO_TENANT = '';
