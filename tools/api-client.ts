import { patiently } from '@holdfast/foundation/testing/patiently';

/** A client of the public API for tools and browser tests: sends JSON as the main audience, and signs in anew where the token has run out. */
export interface Api {
  get<Answer>(path: string): Promise<Answer>;
  post<Answer>(path: string, body: unknown): Promise<Answer>;
  put<Answer>(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<void>;
  /** Puts bytes as the file of a form. */
  upload(path: string, bytes: Uint8Array): Promise<void>;
}

const json = { 'content-type': 'application/json', accept: 'application/json' };
const UNAUTHORIZED = 401;

async function read<Answer>(answer: Response, said: string): Promise<Answer> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${said} answered ${answer.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

/** Signs in with a password; for accounts without a second factor. */
export async function createApi(address: string, owner: { readonly email: string; readonly password: string }): Promise<Api> {
  const signIn = async (): Promise<string> => {
    const answer = await patiently(() => fetch(`${address}/apollo/login`, { method: 'POST', headers: json, body: JSON.stringify(owner) }));
    return (await read<{ accessToken: string }>(answer, 'The sign-in')).accessToken;
  };
  let token = await signIn();
  const ask = (path: string, init: RequestInit): Promise<Response> =>
    patiently(() => fetch(`${address}${path}`, { ...init, headers: { ...json, authorization: `Bearer ${token}` } }));
  const send = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    let answer = await ask(path, init);
    if (answer.status === UNAUTHORIZED) {
      await answer.body?.cancel();
      token = await signIn();
      answer = await ask(path, init);
    }
    return read(answer, `${method} ${path}`);
  };
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    delete: (path) => send('DELETE', path),
    async upload(path, bytes) {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(bytes)]), 'file');
      const headers = { accept: json.accept, authorization: `Bearer ${token}` };
      await read(await fetch(`${address}${path}`, { method: 'PUT', headers, body: form }), `PUT ${path}`);
    },
  };
}
