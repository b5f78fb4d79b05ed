import { silentLogger } from '@holdfast/foundation/logger';
import { startEmbedded } from '../src/index.ts';
import { forgetfulSettings } from './forgetful-settings.ts';

/** Starts a server and is killed: what a crash leaves behind. */
const [, , dataFolder = ''] = process.argv;
const server = await startEmbedded({ dataFolder, logger: silentLogger, as: 'keeper', settings: forgetfulSettings });
process.stdout.write(`${server.processId}\n`, () => process.kill(process.pid, 'SIGKILL'));
