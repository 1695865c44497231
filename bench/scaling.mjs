// `npm run bench:scaling`: what a million zones would take in a nameserver's memory; `npm run bench:scaling -- zones`: a million of
// them in PostgreSQL, loaded, asked, changed, loaded again, and all raised. For docs/design/scaling.md.
if (process.argv[2] === 'zones') await import('./scaling/zones.mjs');
else await import('./scaling/memory.mjs');
