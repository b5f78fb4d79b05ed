import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';
import { chunkGroups } from './vite.chunks.ts';
import { contractForBrowsers } from './vite.contract.ts';

const compressible = /\.(?:js|css|svg|json|txt)$/;

/** Writes `x.br` and `x.gz` beside each file that shrinks, so that the server never compresses. */
function precompress(): Plugin {
  let folder = '';
  return {
    name: 'holdfast-precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    async writeBundle() {
      const names = await readdir(folder, { recursive: true });
      for (const name of names.filter((file) => compressible.test(file))) {
        const path = join(folder, name);
        const content = await readFile(path);
        const brotli = await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
        await writeFile(`${path}.br`, brotli);
        await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
      }
    },
  };
}

/** What V8 reads as the first line of a script. */
const compileHint = '//# allFunctionsCalledOnLoad';

const beginnings = /\/src\/(?:start|features\/identity\/sign-in-page)\.tsx$/;

/**
 * Names the scripts that every page begins with in the page itself, so that the browser fetches and compiles them while
 * the first one runs; they are imported later, and the browser would learn of them only then.
 */
function preloadStart(): Plugin {
  return {
    name: 'holdfast-preload-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = new Set<string>();
        const add = (file: string): void => {
          const part = bundle[file];
          if (part?.type !== 'chunk' || files.has(file)) return;
          files.add(file);
          part.imports.forEach(add);
        };
        for (const part of Object.values(bundle))
          if (part.type === 'chunk' && beginnings.test(part.facadeModuleId ?? '')) add(part.fileName);
        return [...files]
          .filter((file) => !html.includes(`/${file}"`))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
            injectTo: 'head' as const,
          }));
      },
    },
  };
}

/**
 * What the pages begin with runs nearly as a whole. Left to itself the browser compiles each function when it is first
 * called, in the way of everything else; told so, it compiles them beside, while the script still comes.
 */
function compileAhead(): Plugin {
  const names = new Set(chunkGroups.flatMap((group) => ('debugName' in group ? group.debugName : group.name)));
  return {
    name: 'holdfast-compile-ahead',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const part of Object.values(bundle)) {
          if (part.type === 'chunk' && names.has(part.name)) part.code = `${compileHint}\n${part.code}`;
        }
      },
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), contractForBrowsers(), preloadStart(), compileAhead(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // Browsers that run the portal preload modules themselves.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
  },
  server: { port: 5173, strictPort: false },
});
