import { Fragment } from 'react';
import type { ReactElement } from 'react';

/** An e-mail or web address. Where it has to break it does so between its parts, before it does anywhere. */
export function Address({ value }: { readonly value: string }): ReactElement {
  const [first = '', ...rest] = value.split(/(?<=[@/])/);
  return (
    <>
      {first}
      {rest.map((part, at) => (
        <Fragment key={`${at} ${part}`}>
          <wbr />
          {part}
        </Fragment>
      ))}
    </>
  );
}
