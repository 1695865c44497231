// A program for log-output.test.ts. After it has created a logger, it prints the path where require() finds the package
// of its second argument from the file of its first.
import { createLogger } from '@zonewright/service-kit';
import { createRequire } from 'node:module';

const [, , file, linked] = process.argv;
const require = createRequire(file);
// The path is cached from now on.
require.resolve(file);
createLogger('a-service', 'info');
process.stdout.write(require.resolve(linked));
