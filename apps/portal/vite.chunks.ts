import path from 'node:path';
import { schemaPart } from './vite.contract.ts';

/** What a bundler says about a module when it makes chunks. */
interface Context {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

const ownModule = /[\\/](?:apps[\\/]portal[\\/]src|packages[\\/](?:contract|phrases)[\\/]src)[\\/].*\.tsx?(?:\?\w+)?$/;
/**
 * Schemas come with the forms that use them, and so does the register of the kinds of job, which holds the schemas of all;
 * only those of the settings in the page are needed by every page.
 */
const formSchema = new RegExp(`(?<!portal-settings\\.ts)\\?${schemaPart}$|[\\\\/]jobs[\\\\/](?:registry|kinds[\\\\/]all)\\.ts\\?`);

/** Modules of the packages that every page begins with, but for those parts that only later pages use. */
const usedLater =
  /queriesObserver|useQueries|nfiniteQuery|useOn(?:Click|Scroll)Outside|griffel.core.src.shorthands|Subtitle|MenuButton|MessageBarTitle|react-utilities.lib.(?:trigger|virtualParent)/;

const packages = (names: readonly string[]): RegExp => new RegExp(`[\\\\/]node_modules[\\\\/](?:${names.join('|')})[\\\\/]`);

const base = packages([
  'react-router',
  'zod',
  'i18next',
  'react-i18next',
  '@tanstack/(?:query-core|react-query)',
  '@griffel/(?:core|react)',
  'stylis',
  'rtl-css-js',
  '@emotion/hash',
  'keyborg',
  '@fluentui/(?:tokens|react-provider|react-shared-contexts|react-jsx-runtime|react-utilities|react-theme|keyboard-keys|react-text)',
]);
const controls = packages(['@fluentui/react-(?:button|field|input|label|link|message-bar)']);
const surfaces = packages([
  'tabster',
  '@floating-ui/(?:core|dom|utils)',
  'use-sync-external-store',
  '@fluentui/react-(?:menu|combobox|positioning|dialog|table|card|breadcrumb|tooltip|skeleton|badge|progress|portal|context-selector)',
  '@fluentui/react-motion-components-preview',
]);

const reached = new Map<string, ReadonlySet<string>>();

/** Our own modules that an entry imports, at once and not later. */
function ownBehind(entry: string, context: Context): ReadonlySet<string> {
  const known = reached.get(entry);
  if (known) return known;
  const found = new Set<string>();
  const add = (id: string): void => {
    if (found.has(id) || !ownModule.test(id) || formSchema.test(id)) return;
    found.add(id);
    context.getModuleInfo(id)?.importedIds.forEach(add);
  };
  add(path.join(import.meta.dirname, 'src', entry));
  reached.set(entry, found);
  return found;
}

const own = (name: string, entries: readonly string[]) => ({
  debugName: name,
  test: ownModule,
  name: (id: string, context: Context) => (entries.some((entry) => ownBehind(entry, context).has(id)) ? name : null),
});

/**
 * Which modules come together. Left to itself the bundler makes a chunk of each set of pages that share something: a
 * hundred scripts before the overview, each asked for, compiled and run apart, and compressed without the others. Here the
 * pages begin with few: what all of them need, what the sign-in page adds, what the frame and the overview add. The rest
 * stays as the bundler does it.
 */
export const chunkGroups = [
  { name: 'helper', test: /preload-helper|rolldown.runtime/ },
  { name: 'react', test: packages(['react', 'react-dom', 'scheduler']) },
  { name: 'base', test: (id: string) => base.test(id) && !usedLater.test(id) },
  { name: 'controls', test: (id: string) => controls.test(id) && !usedLater.test(id) },
  own('start', ['start.tsx']),
  own('visitor', ['features/identity/sign-in-page.tsx']),
  { name: 'surfaces', test: surfaces },
  own('frame', ['app/shell/shell.tsx', 'features/dashboard/overview-page.tsx']),
].map((group, index, { length }) => ({ ...group, priority: length - index }));
