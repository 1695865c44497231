// Common configuration of the other servers: one thread, loopback, a folder, no logging.

/** Configuration of Knot. `server` and `database` are more lines of these sections. */
export const knotConfig = ({ folder, port }, { server = '', database = '', rest }) => `
server:
  rundir: "${folder}"
  listen: 127.0.0.1@${port}
${server}
database:
  storage: "${folder}"
${database}
log:
  - target: stderr
    any: critical
${rest}
`;

/** Lines for the section `server` of Knot. */
export const KNOT_ONE_WORKER = '  udp-workers: 1\n  tcp-workers: 1';

/** Configuration of BIND. `options` are more lines of that section. */
export const bindConfig = ({ folder, port }, { options = '', rest }) => `
options {
  directory "${folder}"; pid-file none; lock-file none; session-keyfile none; recursion no; notify no;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  ${options}
};
controls { };
logging { category default { null; }; };
${rest}
`;

/** Configuration of PowerDNS with the zones of a named.conf. `rest` are more lines. */
export const powerdnsConfig = ({ folder, port }, { named, rest }) => `
launch=bind
bind-config=${named}
local-address=127.0.0.1
local-port=${port}
socket-dir=${folder}
receiver-threads=1
distributor-threads=1
loglevel=0
daemon=no
guardian=no
${rest}
`;
