import type { Logger } from '@holdfast/foundation/logger';
import { composeFeatures } from './compose.ts';
import { publicUrlOf, type Config } from '../settings/config.ts';
import { layGround, type Ground } from './ground.ts';
import { openInstallation, type Installation } from '../platform/installation.ts';
import type { Feature, Role } from '../platform/feature.ts';
import { closeFeatures, createProcessLife, type ProcessLife } from '../platform/process-life.ts';
import { createProductApp } from '../platform/product-app.ts';
import { startStep } from '../platform/start-step.ts';

/** A running process. */
export interface Running {
  /** Where it answers; undefined for roles without HTTP. */
  readonly address: string | undefined;
  /** One-time address for the first owner, while there is no account. */
  readonly setupAddress: string | undefined;
  /** Drains and stops, in an order that loses nothing. */
  stop(): Promise<void>;
}

export interface ProductOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly installation: Installation;
  readonly roles: readonly Role[];
  readonly version: string;
  /** Tests: answers that the contract does not declare are errors. */
  readonly isStrict?: boolean;
}

type Features = ReturnType<typeof composeFeatures>;

/** How long running work may take to hand itself on. */
const GRACE_MS = 25_000;
/** What serves is there before what works, and what works before what hands out work. */
const ORDER: readonly Role[] = ['api', 'worker', 'scheduler'];

const allOf = (features: Features): readonly Feature[] => Object.values(features);

async function startAll(options: ProductOptions, life: ProcessLife): Promise<Omit<Running, 'stop'>> {
  const { config, logger, roles } = options;
  const step = <T>(name: string, work: () => Promise<T>): Promise<T> => startStep({ logger, name, isAnnounced: true }, work);
  let address: string | undefined;
  const ground = await step('queue', () => layGround({ ...options, publicUrl: () => publicUrlOf(config, address) }));
  const features = composeFeatures(ground);
  life.began(() => closeFeatures(allOf(features)));
  life.began(() => ground.queue.stop(GRACE_MS));
  const inOrder = ORDER.filter((role) => roles.includes(role));
  await step('features', () => life.start(allOf(features), inOrder));
  if (!roles.includes('api')) return { address: undefined, setupAddress: undefined };
  const { access, apiKeys, workers } = features;
  const app = await createProductApp(
    { ...ground, isStrict: options.isStrict ?? false, sessions: apiKeys.callers, organisations: workers.organisations },
    allOf(features),
  );
  life.began(() => app.close());
  address = await step('http', () => app.listen());
  const setupToken = await access.identity.bootstrap.openSetup();
  return { address, setupAddress: setupToken === undefined ? undefined : `${ground.publicUrl()}/signin#setup=${setupToken}` };
}

/** Starts the roles of a process over an open installation. What was started is stopped when a later step fails. */
export async function startProduct(options: ProductOptions): Promise<Running> {
  const life = createProcessLife(options.logger);
  try {
    return { ...(await startAll(options, life)), stop: () => life.stop() };
  } catch (error) {
    await life.stop();
    throw error;
  }
}

/** Works with the features of an installation without serving anything: for the console. */
export async function withFeatures<T>(
  parts: { readonly config: Config; readonly logger: Logger; readonly version?: string },
  work: (features: Features & { readonly ground: Ground }) => Promise<T>,
): Promise<T> {
  const { config, logger, version = '' } = parts;
  const installation = await openInstallation(config, logger, 'guest');
  try {
    const ground = await layGround({ config, logger, installation, version, roles: [], publicUrl: () => publicUrlOf(config) });
    try {
      const features = composeFeatures(ground);
      try {
        return await work({ ...features, ground });
      } finally {
        await closeFeatures(allOf(features));
      }
    } finally {
      await ground.queue.stop(0);
    }
  } finally {
    await installation.close();
  }
}
