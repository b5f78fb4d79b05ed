import type { SendForm } from './client.ts';

function headersOf(lines: string): Headers {
  const headers = new Headers();
  for (const line of lines.trim().split(/[\r\n]+/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return headers;
}

/** Sends a form and says how much of it has left: `fetch` tells nothing of what goes out. Fails as `fetch` does. */
export const sendForm: SendForm = (address, { method, headers, body, signal }, onProgress) => {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = new XMLHttpRequest();
  request.open(method ?? 'POST', address);
  for (const [name, value] of headers) request.setRequestHeader(name, value);
  const abort = (): void => request.abort();
  signal?.addEventListener('abort', abort);
  request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => onProgress(lengthComputable ? loaded / total : 0));
  request.addEventListener('load', () =>
    resolve(
      new Response(request.status === 204 ? null : request.responseText, {
        status: request.status,
        headers: headersOf(request.getAllResponseHeaders()),
      }),
    ),
  );
  request.addEventListener('error', () => reject(new TypeError('Failed to send')));
  request.addEventListener('abort', () => reject(new DOMException('The upload was cancelled.', 'AbortError')));
  request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
  if (signal?.aborted === true) reject(new DOMException('The upload was cancelled.', 'AbortError'));
  else request.send(body);
  return promise;
};
