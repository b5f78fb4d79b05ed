import { Button } from '@fluentui/react-components';
import { ImageMultipleRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { ReasonForm, useReason } from '../content/index.ts';

/** Whether tiles show what is in their files: each picture is an opening, so the reader asks for them and says why. */
export function usePictures(sourceId: string): { readonly reason: string | null; readonly choice: ReactElement | null } {
  const text = useText();
  const mayRead = useMay('content.read');
  const { reason, give } = useReason(sourceId);
  const [isWanted, setWanted] = useState(false);
  if (!mayRead) return { reason: null, choice: null };
  if (isWanted && reason === null) return { reason, choice: <ReasonForm onGive={give} /> };
  const choice = (
    <Button appearance="subtle" icon={<ImageMultipleRegular />} aria-pressed={isWanted} onClick={() => setWanted(!isWanted)}>
      {text(isWanted ? 'compliance.hidePictures' : 'compliance.showPictures')}
    </Button>
  );
  return { reason: isWanted ? reason : null, choice };
}
