// A program for log-output.test.ts: prints where require() finds the package of its second argument, seen from the file of its
// first, once a logger has been made.
import { createLogger } from '@zonewright/service-kit';
import { createRequire } from 'node:module';

const [, , file, linked] = process.argv;
const require = createRequire(file);
// The way there is known from now on.
require.resolve(file);
createLogger('a-service', 'info');
process.stdout.write(require.resolve(linked));
