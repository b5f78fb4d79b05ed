/**
 * The arrows of the architecture and the rules that keep files in their roles. The package rules are
 * generated from one table, so that this page stays short enough to read.
 */
const arrows = {
  'packages/foundation': [],
  'packages/contract': [],
  'packages/phrases': ['packages/contract'],
  'packages/words': ['packages/foundation'],
  'packages/previews': ['packages/foundation'],
  'packages/paper': ['packages/contract', 'packages/foundation'],
  'packages/vault': ['packages/foundation'],
  'packages/m365': ['packages/foundation'],
  'packages/database': ['packages/foundation'],
  'packages/engine': ['packages/foundation', 'packages/vault', 'packages/m365'],
  'packages/m365-simulator': ['packages/foundation'],
  'apps/server': [
    'packages/foundation',
    'packages/contract',
    'packages/phrases',
    'packages/vault',
    'packages/m365',
    'packages/database',
    'packages/engine',
    'packages/words',
    'packages/previews',
    'packages/paper',
  ],
  'apps/portal': ['packages/contract', 'packages/phrases', 'packages/paper'],
};

/** Tests, builders and suites may reach further than the code they test. */
const tests = '\\.(test|contract|e2e|bench)\\.tsx?$|/testing/';

const packageRules = Object.entries(arrows).map(([from, to]) => ({
  name: `${from.split('/')[1]}-depends-only-on-${to.length > 0 ? to.map((path) => path.split('/')[1]).join('-') : 'nothing'}`,
  severity: 'error',
  from: { path: `^${from}/`, pathNot: tests },
  to: { path: '^(apps|packages)/', pathNot: [from, ...to].map((path) => `^${path}/`) },
}));

const only = (name, library, owners) => ({
  name: `only-${name}-uses-${library.split('/').at(-1)}`,
  severity: 'error',
  from: { path: '^(apps|packages)/', pathNot: [tests, ...owners] },
  to: { path: `node_modules/${library}(/|$)` },
});

export default {
  forbidden: [
    ...packageRules,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'features-meet-at-their-index',
      severity: 'error',
      from: { path: '^apps/(server|portal)/src/features/([^/]+)/', pathNot: tests },
      to: { path: '^apps/$1/src/features/', pathNot: ['^apps/$1/src/features/$2/', '/index\\.tsx?$'] },
    },
    {
      name: 'portal-flows-one-way',
      severity: 'error',
      from: { path: '^apps/portal/src/(ui|api|i18n)/', pathNot: tests },
      to: { path: '^apps/portal/src/(app|features)/' },
    },
    {
      name: 'portal-features-do-not-know-the-app',
      severity: 'error',
      from: { path: '^apps/portal/src/features/', pathNot: tests },
      to: { path: '^apps/portal/src/app/' },
    },
    {
      name: 'stores-and-views-point-down',
      severity: 'error',
      from: { path: '\\.(store|views|policy)\\.ts$', pathNot: tests },
      to: { path: '\\.(routes|service|tasks)\\.ts$' },
    },
    {
      name: 'services-point-down',
      severity: 'error',
      from: { path: '\\.service\\.ts$', pathNot: tests },
      to: { path: '\\.(routes|tasks)\\.ts$' },
    },
    {
      name: 'only-stores-speak-sql',
      severity: 'error',
      from: { path: '^apps/server/src/features/', pathNot: [tests, '\\.(store|views)\\.ts$'] },
      to: { path: '^packages/database/|node_modules/(kysely|pg)(/|$)', dependencyTypesNot: ['type-only'] },
    },
    only('the-kit-and-pages', '@fluentui', ['^apps/portal/src/(ui|toasts|features|app|kit)/']),
    only('the-toast', 'react-toastify', ['^apps/portal/src/toasts/']),
    only('the-paper', 'pdfkit', ['^packages/paper/src/pdf/']),
    only('the-previews', '@napi-rs/canvas', ['^packages/previews/src/']),
    only('the-previews', 'pdfjs-dist', ['^packages/previews/src/']),
    only('the-blob-store', '@aws-sdk/client-s3', ['^packages/vault/src/blob/s3']),
    only('http-and-routes', 'fastify', ['^apps/server/src/http/', '\\.routes\\.ts$']),
    {
      name: 'simulator-stays-out-of-production',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: [tests, '^packages/m365-simulator/'] },
      to: { path: '^packages/m365-simulator/' },
    },
    {
      name: 'no-undeclared-packages',
      severity: 'error',
      from: { path: '^(apps|packages)/[^/]+/src/', pathNot: tests },
      to: { pathNot: '^(apps|packages)/', dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev', 'unknown', 'undetermined'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Our own built output; what libraries have in folders of that name is what the rules are about.
    exclude: { path: '^(apps|packages)/[^/]+/(dist|fixtures|coverage)/' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types', 'typings'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json', '.d.ts'],
    },
  },
};
