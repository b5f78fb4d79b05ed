import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import { mountConfiguration } from './configuration.routes.ts';
import { createConfigurationService, type ConfigurationParts, type ConfigurationService } from './configuration.service.ts';

export interface ConfigurationFeature extends Feature {
  readonly configuration: ConfigurationService;
}

export function createConfigurationFeature(parts: ConfigurationParts): ConfigurationFeature {
  const configuration = createConfigurationService(parts);
  return Object.freeze<ConfigurationFeature>({
    configuration,
    mount: (app) => inEachRealm((realm) => mountConfiguration(app, configuration, realm)),
  });
}
