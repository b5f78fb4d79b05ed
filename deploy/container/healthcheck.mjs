/** Whether the process in this container takes requests: the health check of the image. */
const port = process.env['HOLDFAST_PORT'] ?? '8080';
const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(8_000) }).catch(() => undefined);
process.exitCode = answer?.ok === true ? 0 : 1;
