/** What a browser says about where a request comes from. */
export interface RequestOrigin {
  readonly method: string;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

function isOwnOrigin(origin: string, publicUrl: string): boolean {
  try {
    return new URL(origin).origin === new URL(publicUrl).origin;
  } catch {
    return false;
  }
}

/** Whether something that changes state, and is authenticated by a cookie, comes from our own pages. */
export function isSameOrigin(request: RequestOrigin, publicUrl: string): boolean {
  if (request.fetchSite !== undefined) return request.fetchSite === 'same-origin';
  return request.origin !== undefined && isOwnOrigin(request.origin, publicUrl);
}

/** The same, letting safe methods pass: those change nothing. */
export function isSameSite(request: RequestOrigin, publicUrl: string): boolean {
  return SAFE.has(request.method) || isSameOrigin(request, publicUrl);
}
