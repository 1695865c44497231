// `npm run bench:scaling`: estimated memory of a nameserver with a million zones. `npm run bench:scaling -- zones`: a million zones in PostgreSQL that are loaded, queried, changed, loaded again, and whose serials are all increased. The results are in docs/design/scaling.md.
if (process.argv[2] === 'zones') await import('./scaling/zones.mjs');
else await import('./scaling/memory.mjs');
