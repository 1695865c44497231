// The HEALTHCHECK of the images, which have no curl: `node healthcheck.mjs VARIABLE` asks the operations port
// in that variable whether the service can be used, and ends with 0 or 1.
const port = process.env[process.argv[2]];
/** Within the time that the Dockerfiles give a check. */
const TIMEOUT_MS = 2_500;

try {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  console.log(await response.text());
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  console.log(String(error.cause ?? error));
  process.exitCode = 1;
}
