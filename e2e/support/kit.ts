import path from 'node:path';
import react from '@vitejs/plugin-react';
import { build, preview } from 'vite';
import { root } from '../../tools/run.ts';

const portal = path.join(root, 'apps/portal');
const outDir = path.join(root, 'artifacts/kit');

export interface ServedKit {
  readonly address: string;
  close(): Promise<void>;
}

/** Builds `/_kit`, which no delivered bundle holds, and serves it by itself: it needs no product. */
export async function serveKit(): Promise<ServedKit> {
  await build({
    root: portal,
    configFile: false,
    plugins: [react()],
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      minify: false,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 10_000,
      rolldownOptions: { input: path.join(portal, '_kit/index.html') },
    },
  });
  const server = await preview({
    root: portal,
    configFile: false,
    logLevel: 'error',
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0 },
  });
  const address = server.resolvedUrls?.local[0];
  if (address === undefined) throw new Error('The kit is not served.');
  return { address: new URL('_kit/index.html', address).href, close: async () => await server.close() };
}
