import type { HttpApp } from './http-app.ts';
import { everyRoute } from './every-route.ts';
import { openapiOf } from './openapi.ts';

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

interface Operation {
  readonly summary: string;
  readonly 'x-action': string;
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

function row(path: string, method: string, operation: Operation): string {
  const answers = Object.entries(operation.responses).map(([status, { description }]) => `${status} ${description}`);
  const cells = [method.toUpperCase(), path, operation.summary, operation['x-action'], answers.join(' · ')];
  return `<tr>${cells.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`;
}

/** `openapi.json` and `docs` below the main base path (`/apollo`): what the API is, from the contract, for programs and for people. */
export function serveOpenapi(app: HttpApp, version: string): void {
  const { main } = app.basePaths;
  let cached: { readonly json: string; readonly page: string } | undefined;
  const documents = (): { readonly json: string; readonly page: string } => {
    if (cached) return cached;
    const document = openapiOf(everyRoute(app.basePaths), version, app.basePaths);
    const paths = document['paths'] as Record<string, Record<string, Operation>>;
    const rows = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => row(path, method, operation)),
    );
    const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Holdfast API</title><h1>Holdfast API ${escape(version)}</h1><p><a href="${escape(main)}/openapi.json">OpenAPI document</a></p><table border="1"><thead><tr><th>Method</th><th>Path</th><th>Meaning</th><th>Action</th><th>Answers</th></tr></thead><tbody>${rows.join('')}</tbody></table></html>`;
    cached = { json: JSON.stringify(document), page };
    return cached;
  };
  app.server.get(`${main}/openapi.json`, async (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-cache').send(documents().json),
  );
  app.server.get(`${main}/docs`, async (_request, reply) =>
    reply.header('content-type', 'text/html; charset=utf-8').header('cache-control', 'no-cache').send(documents().page),
  );
}
