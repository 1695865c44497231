// A program for log-output.test.ts: prints where require() finds the package `linked` of its folder once a logger has been made.
import { createLogger } from '@zonewright/service-kit';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.argv[2], 'program.cjs'));
// The way there is known from now on.
require.resolve('./program.cjs');
createLogger('a-service', 'info');
process.stdout.write(require.resolve('linked'));
