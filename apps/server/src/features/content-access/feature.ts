import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import { mountAccessRule } from './access-rule.routes.ts';
import { createAccessRuleService, type AccessRuleParts } from './access-rule.service.ts';

export function createAccessRuleFeature(parts: AccessRuleParts): Feature {
  const rule = createAccessRuleService(parts);
  return Object.freeze<Feature>({ mount: (app) => inEachRealm((realm) => mountAccessRule(app, rule, realm)) });
}
