import { parseArgs } from 'node:util';
import { createLogger } from '@holdfast/foundation/logger';
import { recipeNamed, resized } from './recipes/recipes.ts';
import { startSimulator } from './start.ts';

const { values } = parseArgs({
  options: {
    recipe: { type: 'string', default: 'contoso' },
    seed: { type: 'string', default: '1' },
    port: { type: 'string', default: '0' },
    limits: { type: 'string', default: 'real' },
    clock: { type: 'string', default: 'real' },
    users: { type: 'string' },
    'messages-per-user': { type: 'string' },
    data: { type: 'string', default: 'memory' },
    validate: { type: 'boolean', default: false },
  },
});

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

const size = {
  ...(values.users === undefined ? {} : { users: Number(values.users) }),
  ...(values['messages-per-user'] === undefined ? {} : { messagesPerUser: Number(values['messages-per-user']) }),
};
const simulator = await startSimulator({
  recipes: values.recipe.split(',').map((name) => resized(recipeNamed(name), size)),
  seed: numberOf(values.seed) ?? 1,
  port: numberOf(values.port) ?? 0,
  limits: values.limits === 'off' ? 'off' : 'real',
  clock: values.clock === 'virtual' ? 'virtual' : 'real',
  isValidating: values.validate,
  ...(values.data === 'memory' ? {} : { dataFolder: values.data }),
  logger: createLogger({ level: 'warn' }),
});
const { graph, login, proxy, admin, ca, tenants } = simulator;
console.log(JSON.stringify({ graph, login, proxy, admin, ca, tenants }));
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void simulator.close().then(() => process.exit(0));
  });
}
