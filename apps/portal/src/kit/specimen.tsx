import { Subtitle1 } from '@fluentui/react-components';
import type { ReactElement, ReactNode } from 'react';
import { Stack } from '../ui/layout.tsx';

/** One part of the kit below its own name, which is the same in every language. */
export function Specimen({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <section aria-label={name} data-specimen={name}>
      <Stack>
        <Subtitle1 as="h2" lang="en">
          {name}
        </Subtitle1>
        {children}
      </Stack>
    </section>
  );
}
