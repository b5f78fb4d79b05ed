import type { compliance } from '@holdfast/contract/compliance';
import type { Grant, Share } from '@holdfast/contract/compliance-values';
import type { ResponseOf } from '@holdfast/contract/route';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { factLines, KeptFacts } from '../content/index.ts';
import { useRoleText } from './use-role-text.ts';

function useShareText(): (share: Share) => string {
  const text = useText();
  const format = useFormat();
  return ({ audience, who, expiresAt }) => {
    const end = expiresAt === null ? text('compliance.endless') : text('compliance.until', { date: format.date(expiresAt) });
    return [text(`compliance.audiences.${audience}`), who, end].filter((part) => part !== '').join(', ');
  };
}

/** A right in words: who, or whom a link opens to, and what they may do. */
function useGrantText(): (grant: Grant) => string {
  const text = useText();
  const format = useFormat();
  const roleText = useRoleText();
  const scopes: Readonly<Record<string, string>> = {
    anonymous: text('compliance.audiences.anyone'),
    organization: text('compliance.audiences.organisation'),
  };
  return ({ who, role, link, isInherited, expiresAt }) => {
    const known = link === null ? undefined : (scopes[link] ?? text('compliance.linkHolders'));
    const people = [known, ...who].filter((name) => name !== undefined).join(', ') || text('compliance.unnamed');
    const notes = [
      isInherited ? text('compliance.inherited') : '',
      expiresAt === null ? '' : text('compliance.until', { date: format.date(expiresAt) }),
    ].filter((note) => note !== '');
    return `${people}: ${[roleText(role), ...notes].join(', ')}`;
  };
}

/** Why a file or folder is kept, and who can open it. */
export function WhyKept({ kept }: { readonly kept: ResponseOf<typeof compliance.kept> }): ReactElement {
  const text = useText();
  const shareText = useShareText();
  const grantText = useGrantText();
  return (
    <KeptFacts
      kept={kept}
      more={[
        [text('compliance.audience'), factLines(kept.shares.map(shareText), text('compliance.audienceNone'))],
        [text('compliance.permissions'), factLines([...new Set(kept.grants.map(grantText))], text('compliance.audienceNone'))],
      ]}
    />
  );
}
