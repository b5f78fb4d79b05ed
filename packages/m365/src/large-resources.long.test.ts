import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startSimulator, type Recipe, type Simulator } from '@holdfast/m365-simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LargeReport, LargeTask } from '../testing/read-large.ts';

const MESSAGES_IN_ONE_FOLDER = 100_000;
const FILES_IN_ONE_DRIVE = 300_000;
const LIMIT_MEGABYTES = 400;
/** The inbox has somewhat less than half of a mailbox. */
const recipe: Recipe = {
  name: 'large',
  displayName: 'Large Ltd',
  label: 'large',
  people: { members: 1, guests: 0, sharedMailboxes: 0, rooms: 0, germanShare: 0.5 },
  mail: { messagesPerUser: MESSAGES_IN_ONE_FOLDER * 3, isUniform: true, years: 10 },
  eventsPerUser: 0,
  contactsPerUser: 0,
  tasksPerUser: 0,
  drives: { filesPerUser: FILES_IN_ONE_DRIVE, medianBytes: 100_000, largestBytes: 1_000_000, foldersPerUser: 2_000 },
  sites: [{ path: 'home', displayName: 'Home', files: 1, lists: 0, itemsPerList: 0, pages: 0 }],
  teams: [],
  chats: { oneOnOne: 0, group: 0, messagesPerChat: 0 },
  hasOddities: false,
};

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ recipes: [recipe], limits: 'off', isValidating: false });
});
afterAll(async () => {
  await simulator.close();
});

describe('a hundred thousand messages in one folder and three hundred thousand files in one drive', () => {
  it('are listed in bounded memory', async () => {
    const [access] = simulator.tenants;
    if (!access) throw new Error('the simulator has no tenant');
    const userId = simulator.control.owners(access.tenantId, 'mail')[0]?.owner ?? '';
    const { graph, login, ca } = simulator;
    const { tenantId, clientId, clientSecret } = access;
    const task: LargeTask = { graph, login, ca, tenantId, clientId, clientSecret, userId };
    const program = fileURLToPath(new URL('../testing/read-large.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(task)]);
    const report = JSON.parse(stdout) as LargeReport;
    process.stdout.write(`client: ${stdout}`);
    expect(report.messages).toBeGreaterThanOrEqual(MESSAGES_IN_ONE_FOLDER);
    expect(report.items).toBeGreaterThanOrEqual(FILES_IN_ONE_DRIVE);
    expect(report.peakMegabytes).toBeLessThan(LIMIT_MEGABYTES);
  });
});
