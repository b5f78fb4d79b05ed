import type { ScriptedAnswer, ScriptedRequest } from './scripted-transport.ts';

const UPLOAD = {
  uploadUrl: 'https://contoso.sharepoint.com/upload',
  importUrl: 'https://outlook.office365.com/import',
  expirationDateTime: '2030-01-01T00:00:00Z',
};

type Script = readonly [fits: (request: ScriptedRequest) => boolean, answer: ScriptedAnswer];

const session = (host: string): ScriptedAnswer => ({
  json: { ...UPLOAD, uploadUrl: `https://${host}/upload`, nextExpectedRanges: ['0-'] },
});
/** The sessions of To Do belong to Graph itself. */
const TASK_SESSION = 'graph.microsoft.com/v1.0/users/u/todo/lists/l/tasks/t/attachmentSessions/s';
const ofDrives = (request: ScriptedRequest): boolean => request.url.host === 'contoso.sharepoint.com';

/** Answers that differ from an object which has everything. The first that fits is given. */
const scripts: readonly Script[] = [
  [
    ({ line, method }) => line.endsWith('/content') && method === 'GET',
    { status: 302, headers: { location: 'https://contoso.sharepoint.com/download' } },
  ],
  [({ line }) => line.includes('/reports/'), { status: 302, headers: { location: 'https://reports.office.com/r' } }],
  [({ line }) => line === 'POST /v1.0/teams', { status: 202, headers: { location: "/teams('t')/operations('o')" } }],
  [({ line }) => line.endsWith('/$batch'), { json: { responses: [{ id: '1', status: 201, body: { id: 'f' } }] } }],
  [
    ({ line }) => /\/tasks\/.*createUploadSession/.test(line),
    {
      json: { ...UPLOAD, uploadUrl: `https://${TASK_SESSION}`, nextExpectedRanges: ['0-'] },
    },
  ],
  [({ line }) => /\/(messages|events)\/.*createUploadSession/.test(line), session('outlook.office.com')],
  [({ line }) => line.includes('createUploadSession'), session('contoso.sharepoint.com')],
  [(request) => ofDrives(request) && request.line === 'GET /upload', { json: { nextExpectedRanges: ['0-'] } }],
  [(request) => ofDrives(request) && request.method === 'PUT', { status: 202, json: { nextExpectedRanges: [] } }],
];

/** What any call is content with. */
export function anything(request: ScriptedRequest): ScriptedAnswer {
  const scripted = scripts.find(([fits]) => fits(request));
  if (scripted) return scripted[1];
  const { line, url } = request;
  const known = { id: 'x', itemId: 'i', changeKey: 'k', primaryMailboxId: 'b', status: 'succeeded', value: [{ id: 'x', itemId: 'i' }] };
  const link = line.endsWith('/delta') ? { '@odata.deltaLink': `${url.origin}${url.pathname}?token=t` } : {};
  return { json: { ...UPLOAD, ...known, ...link } };
}
