import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { InOrder } from './e2e/support/in-order.ts';

const elsewhere = ['**/node_modules/**', '**/.holdfast/**'];
/** Every answer of a simulator that a test sees is held against the metadata; how many, is said at the end. */
const countAnswers = 'packages/m365-simulator/testing/checked-answers.setup.ts';
const checkedAnswers = 'packages/m365-simulator/testing/checked-answers.ts';
const code = '{apps/server,packages,tools,bench}';
/** Journeys with a product of their own, or with none: they run beside those that share one. */
const ownProduct = [
  'e2e/00-kit.e2e.ts',
  'e2e/08-first-start.e2e.ts',
  'e2e/10-mailed-codes.e2e.ts',
  'e2e/19-passkeys.e2e.ts',
  'e2e/22-first-of-the-month.e2e.ts',
  'e2e/25-papers.e2e.ts',
  'e2e/26-hold-notices.e2e.ts',
  'e2e/27-review.e2e.ts',
];
/** A state that is waited for comes when the machine has time for it; a second, which is the default, is a matter of luck. */
const patience = { poll: { timeout: 15_000 } };

/**
 * One project a kind of test; conventions: x.test.ts, x.db.test.ts, x.test.tsx, NN-flow.e2e.ts, x.long.test.ts.
 * Files share their process and what it has loaded (`isolate`): a module holds no state, and loading everything anew
 * for each file was a ninth of the server side's run and more than half of the portal's.
 */
export default defineConfig({
  test: {
    // One more than there are cores: tests wait for processes that start and for disks. The default leaves a core to a watcher.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: InOrder },
    // A failure says what differs: a run elsewhere leaves nothing else to look at.
    chaiConfig: { truncateThreshold: 2_000 },
    projects: [
      {
        test: {
          name: 'unit',
          expect: patience,
          include: [`${code}/**/*.test.ts`, 'apps/portal/**/*.test.ts'],
          exclude: [...elsewhere, '**/*.db.test.ts', '**/*.long.test.ts'],
          globalSetup: [countAnswers],
          setupFiles: [checkedAnswers],
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'database',
          expect: patience,
          include: [`${code}/**/*.db.test.ts`],
          exclude: elsewhere,
          globalSetup: ['packages/database/testing/postgres.setup.ts', countAnswers],
          setupFiles: [checkedAnswers],
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        plugins: [],
        test: {
          name: 'portal',
          expect: patience,
          include: ['apps/portal/**/*.test.tsx'],
          exclude: elsewhere,
          environment: './apps/portal/src/testing/one-window.ts',
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/*.e2e.ts'],
          globalSetup: ['e2e/support/product.setup.ts'],
          exclude: [...elsewhere, ...ownProduct],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'e2e-own',
          include: ownProduct,
          exclude: elsewhere,
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'long',
          include: [`{apps/server,packages,tools,e2e}/**/*.long.test.ts`],
          exclude: elsewhere,
          globalSetup: ['packages/database/testing/postgres.setup.ts', countAnswers],
          setupFiles: [checkedAnswers],
          // One a core: they compute for most of an hour, and one after the other they would for most of two.
          maxWorkers: availableParallelism(),
          testTimeout: 7_200_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
