import { ClientSecretCredential } from '@azure/identity';
import {
  BatchRequestContent,
  BatchResponseContent,
  Client,
  FileUpload,
  LargeFileUploadTask,
  type PageCollection,
  PageIterator,
} from '@microsoft/microsoft-graph-client';
import { TokenCredentialAuthenticationProvider } from '@microsoft/microsoft-graph-client/authProviders/azureTokenCredentials/index.js';
import { readSetting, tell } from './setting.ts';

const { tenantId, clientId, clientSecret } = readSetting();
const credential = new ClientSecretCredential(tenantId, clientId, clientSecret);
const authProvider = new TokenCredentialAuthenticationProvider(credential, { scopes: ['https://graph.microsoft.com/.default'] });
const client = Client.initWithMiddleware({ authProvider });

async function iterate(path: string): Promise<{ readonly ids: string[]; readonly deltaLink: string | undefined }> {
  const ids: string[] = [];
  const page = (await client.api(path).get()) as PageCollection;
  const iterator = new PageIterator(client, page, (entry: { readonly id: string }) => {
    ids.push(entry.id);
    return true;
  });
  await iterator.iterate();
  return { ids, deltaLink: iterator.getDeltaLink() };
}

const users = await iterate('/users?$top=2');
const user = users.ids[0] ?? '';
const delta = await iterate(`/users/${user}/mailFolders/inbox/messages/delta?$select=subject&$top=3`);
const mime = (await client.api(`/users/${user}/messages/${delta.ids[0]}/$value`).getStream()) as ReadableStream<Uint8Array>;
let mimeBytes = 0;
for await (const part of mime) mimeBytes += part.byteLength;

// The client takes away the host alone, and the service refuses a version in the address of a part.
const batch = new BatchRequestContent([
  { id: '1', request: new Request(`https://graph.microsoft.com/users/${user}`) },
  { id: '2', request: new Request('https://graph.microsoft.com/users/nobody') },
]);
const answers = new BatchResponseContent(
  (await client.api('/$batch').post(await batch.getContent())) as ConstructorParameters<typeof BatchResponseContent>[0],
);

const drive = (await client.api(`/users/${user}/drive`).get()) as { readonly id: string };
const root = (await client.api(`/drives/${drive.id}/root`).get()) as { readonly id: string };
const content = Buffer.alloc(3_000_000, 'holdfast');
const session = await LargeFileUploadTask.createUploadSession(
  client,
  `/drives/${drive.id}/items/${root.id}:/large.bin:/createUploadSession`,
  {
    item: { '@microsoft.graph.conflictBehavior': 'replace' },
  },
);
const file = new FileUpload(new Blob([content]), 'large.bin', content.byteLength);
const upload = await new LargeFileUploadTask(client, file, session, { rangeSize: 1_310_720 }).upload();
const uploaded = upload.responseBody as { readonly id: string; readonly size: number };
const download = (await client.api(`/drives/${drive.id}/items/${uploaded.id}/content`).getStream()) as ReadableStream<Uint8Array>;
const parts: Uint8Array[] = [];
for await (const part of download) parts.push(part);

tell({
  users: users.ids.length,
  messages: delta.ids.length,
  hasDeltaLink: delta.deltaLink !== undefined,
  mimeBytes,
  batch: [answers.getResponseById('1').status, answers.getResponseById('2').status],
  uploadedBytes: uploaded.size,
  isSame: Buffer.concat(parts).equals(content),
});
