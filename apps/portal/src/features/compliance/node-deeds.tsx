import type { ManagedNode } from '@holdfast/contract/compliance-values';
import type { Source } from '@holdfast/contract/discovery';
import type { ReactElement } from 'react';
import { AddToCase } from '../cases/index.ts';
import { HoldForm } from '../holds/index.ts';
import { EventForm, PutUnderRetention } from '../retention/index.ts';
import type { NodeRights } from './node-rights.ts';

/** What is done with files and folders, or with all of a site or drive, in a form. */
export const nodeDeeds = ['hold', 'retention', 'retentionEvent', 'addToCase'] as const;
export type NodeDeed = (typeof nodeDeeds)[number];

/** The text of each. */
export const deedTexts = {
  hold: 'holds.placeOn',
  retention: 'compliance.retention',
  retentionEvent: 'compliance.retentionEvent',
  addToCase: 'cases.addToCase',
} as const;

/** Those that the reader may do. */
export function deedsOf(rights: NodeRights): readonly NodeDeed[] {
  return nodeDeeds.filter((deed) => (deed === 'addToCase' ? rights.addToCase : rights.hold));
}

/** A deed that was asked for; without nodes it is about everything of the site. */
export interface AskedDeed {
  readonly deed: NodeDeed;
  readonly nodes: readonly ManagedNode[];
}

export interface DeedFormProps {
  readonly tenantId: string;
  readonly site: Source;
  readonly asked: AskedDeed;
  readonly onClose: () => void;
}

/** The form of a deed. */
export function DeedForm({ tenantId, site, asked: { deed, nodes }, onClose }: DeedFormProps): ReactElement {
  switch (deed) {
    case 'hold':
      return <HoldForm tenantId={tenantId} resource={site} items={nodes} onClose={onClose} />;
    case 'retention':
      return <PutUnderRetention tenantId={tenantId} resource={site} items={nodes} onClose={onClose} />;
    case 'retentionEvent':
      return <EventForm tenantId={tenantId} place={{ resource: site, items: nodes }} onClose={onClose} />;
    case 'addToCase':
      return <AddToCase tenantId={tenantId} resourceId={site.resourceId} items={nodes} onClose={onClose} />;
  }
}
