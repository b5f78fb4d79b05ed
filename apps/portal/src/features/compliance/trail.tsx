import { Breadcrumb, BreadcrumbButton, BreadcrumbDivider, BreadcrumbItem } from '@fluentui/react-components';
import { Fragment } from 'react';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useText } from '../../i18n/use-text.ts';

export interface TrailProps {
  readonly site: string;
  readonly trail: readonly { readonly nodeId: string; readonly name: string }[];
  /** Null for the root of the site. */
  readonly onOpen: (nodeId: string | null) => void;
}

/** The way from the list of sites down to the open folder. */
export function Trail({ site, trail, onOpen }: TrailProps): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const steps = [{ nodeId: null, name: site }, ...trail];
  return (
    <Breadcrumb aria-label={text('shell.breadcrumb')}>
      <BreadcrumbItem>
        <BreadcrumbButton onClick={() => void navigate('/compliance')}>{text('compliance.allSites')}</BreadcrumbButton>
      </BreadcrumbItem>
      {steps.map(({ nodeId, name }, at) => (
        <Fragment key={nodeId ?? ''}>
          <BreadcrumbDivider />
          <BreadcrumbItem>
            <BreadcrumbButton current={at === steps.length - 1} onClick={() => onOpen(nodeId)}>
              {name}
            </BreadcrumbButton>
          </BreadcrumbItem>
        </Fragment>
      ))}
    </Breadcrumb>
  );
}
