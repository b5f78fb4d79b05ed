import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { askedToEnd } from '@holdfast/foundation/ending';
import { AppError } from '@holdfast/foundation/errors';
import { createLogger } from '@holdfast/foundation/logger';
import { loadCorpus } from './mail/load-corpus.ts';
import { recipeNamed, recipeNames, resized } from './recipes/recipes.ts';
import { startSimulator } from './start.ts';

const USAGE = `node src/main.ts [options]
  --recipe ${recipeNames.join('|')}   several with commas; contoso unless given
  --seed 1                     the same seed makes the same tenants
  --users 1000 --messages-per-user 1000
  --corpus FOLDER              mail from .eml and .mbox files in place of generated mail
  --port 0                     port of Graph and sign-in; proxy and administration take free ones
  --limits real|off   --clock real|virtual
  --data FOLDER|memory         keeps the state over restarts
  --validate                   checks every response against the metadata`;

const { values } = parseArgs({
  options: {
    recipe: { type: 'string', default: 'contoso' },
    seed: { type: 'string', default: '1' },
    port: { type: 'string', default: '0' },
    limits: { type: 'string', default: 'real' },
    clock: { type: 'string', default: 'real' },
    users: { type: 'string' },
    'messages-per-user': { type: 'string' },
    corpus: { type: 'string' },
    data: { type: 'string', default: 'memory' },
    validate: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function whole(name: string, text: string): number {
  if (!/^\d+$/u.test(text)) throw new AppError('simulator.bad-option', { message: `--${name} takes a whole number, not ${text}` });
  return Number(text);
}

function oneOf<T extends string>(name: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((word) => word === text);
  if (found === undefined) throw new AppError('simulator.bad-option', { message: `--${name} is ${allowed.join(' or ')}, not ${text}` });
  return found;
}

function guide({ proxy, ca, graph, login, admin, tenants }: Awaited<ReturnType<typeof startSimulator>>): string {
  const first = tenants[0];
  return [
    '',
    'Any client, unmodified, by the real host names:',
    `  export HTTPS_PROXY=${proxy} NODE_USE_ENV_PROXY=1`,
    `  export SSL_CERT_FILE=${ca} NODE_EXTRA_CA_CERTS=${ca}`,
    ...(first ? [`  export TENANT_ID=${first.tenantId} CLIENT_ID=${first.clientId} CLIENT_SECRET='${first.clientSecret}'`] : []),
    `Holdfast, directly: base address ${graph}, authority ${login}, and the certificate above.`,
    `Administration and ground truth: ${admin}/health`,
    ...(first ? [`A day of work: curl -d '{"day":1}' ${admin}/tenants/${first.tenantId}/changes`] : []),
    'All that a client needs to know is in the line of JSON above. End with Ctrl+C.',
  ].join('\n');
}

/**
 * A simulator stands beside what is tested or measured: it collects after a quarter more instead of letting the heap
 * double, so that gigabytes that pass through leave no mark on the memory of the machine.
 */
const HEAP_GROWTH = '--heap-growing-percent=25';

async function run(): Promise<void> {
  setFlagsFromString(HEAP_GROWTH);
  const asked = askedToEnd();
  const { users, corpus } = values;
  const messages = corpus === undefined ? values['messages-per-user'] : '0';
  const size = {
    ...(users === undefined ? {} : { users: whole('users', users) }),
    ...(messages === undefined ? {} : { messagesPerUser: whole('messages-per-user', messages) }),
  };
  const simulator = await startSimulator({
    recipes: values.recipe.split(',').map((name) => resized(recipeNamed(name), size)),
    seed: whole('seed', values.seed),
    port: whole('port', values.port),
    limits: oneOf('limits', values.limits, ['real', 'off']),
    clock: oneOf('clock', values.clock, ['real', 'virtual']),
    isValidating: values.validate,
    logger: createLogger({ level: 'warn' }),
    ...(values.data === 'memory' ? {} : { dataFolder: values.data }),
    ...(corpus === undefined ? {} : { prepare: (tenant) => void loadCorpus(tenant, corpus) }),
  });
  const { graph, login, proxy, admin, ca, tenants } = simulator;
  console.log(JSON.stringify({ graph, login, proxy, admin, ca, tenants }));
  console.error(guide(simulator));
  await asked;
  await simulator.close();
  process.exit(0);
}

if (values.help) console.log(USAGE);
else {
  run().catch((error: unknown) => {
    console.error(error instanceof AppError ? `${error.message} ${JSON.stringify(error.details)}` : error);
    process.exit(1);
  });
}
