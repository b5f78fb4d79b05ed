import { z } from 'zod';
import { networkList } from './shared/networks.ts';
import { defineRoute } from './shared/route.ts';
import { id } from './shared/values.ts';

/** What an organisation asks of whoever works in it. API keys have no second factor; the networks hold for them too. */
export const signInRulesBody = z.object({ networks: networkList, secondFactor: z.boolean() });

const signInRulesAnswer = signInRulesBody.extend({
  /** The address this request came from, which must stay within the networks. */
  address: z.string(),
});

/** Which of my organisations: the one chosen last when it is left out. */
const query = z.object({ organisationId: id.optional() });

export const signInRules = {
  read: defineRoute({
    method: 'GET',
    path: '/api/sign-in-rules',
    action: 'organisation.manage',
    summary: 'From which networks and with which factors the organisation opens',
    query,
    response: signInRulesAnswer,
  }),
  change: defineRoute({
    method: 'PUT',
    path: '/api/sign-in-rules',
    action: 'organisation.manage',
    summary: 'Change from which networks and with which factors the organisation opens; rules that would exclude the caller are refused',
    query,
    body: signInRulesBody,
    response: signInRulesAnswer,
    errors: ['sign-in-rules.own-address', 'sign-in-rules.own-factor'],
  }),
};
