import type { ReactElement } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Centred } from '../ui/centred.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import { Fields } from './specimens-form.tsx';

/** `Centred` fills the window, so it has an address of its own. */
export function KitCentred(): ReactElement {
  const text = useText();
  return (
    <Centred title={text('signIn.title')} lead={text('dashboard.lead')} foot={<RouterLink to="/">{text('common.back')}</RouterLink>}>
      <Fields />
    </Centred>
  );
}
