/** A client of the public API for tools and browser tests: signs in once, then sends JSON as the main audience. */
export interface Api {
  get<Answer>(path: string): Promise<Answer>;
  post<Answer>(path: string, body: unknown): Promise<Answer>;
  put<Answer>(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<void>;
}

async function send<Answer>(address: string, path: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(`${address}${path}`, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${init.method ?? 'GET'} ${path} answered ${answer.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

/** Signs in with a password; for accounts without a second factor. */
export async function createApi(address: string, owner: { readonly email: string; readonly password: string }): Promise<Api> {
  const json = { 'content-type': 'application/json', accept: 'application/json' };
  const signedIn = await send<{ accessToken: string }>(address, '/apollo/login', {
    method: 'POST',
    headers: json,
    body: JSON.stringify(owner),
  });
  const headers = { ...json, authorization: `Bearer ${signedIn.accessToken}` };
  return {
    get: (path) => send(address, path, { headers }),
    post: (path, body) => send(address, path, { method: 'POST', headers, body: JSON.stringify(body) }),
    put: (path, body) => send(address, path, { method: 'PUT', headers, body: JSON.stringify(body) }),
    delete: (path) => send(address, path, { method: 'DELETE', headers }),
  };
}
