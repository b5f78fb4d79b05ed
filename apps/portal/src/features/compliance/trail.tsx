import { Breadcrumb, BreadcrumbButton, BreadcrumbDivider, BreadcrumbItem, makeStyles } from '@fluentui/react-components';
import { Fragment } from 'react';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useText } from '../../i18n/use-text.ts';

const useStyles = makeStyles({
  // On a narrow screen the way continues in the next line instead of out of sight.
  root: {
    '& ol': { flexWrap: 'wrap' },
    '& .fui-BreadcrumbButton': { whiteSpace: 'normal', height: 'auto', minHeight: '24px', textAlign: 'start' },
  },
});

export interface TrailStep {
  readonly nodeId: string;
  readonly name: string;
}

export interface TrailProps {
  readonly site: string;
  readonly trail: readonly TrailStep[];
  /** Null for the root of the site. */
  readonly onOpen: (nodeId: string | null) => void;
}

/** The way from the list of sites down to the open folder. */
export function Trail({ site, trail, onOpen }: TrailProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const navigate = useNavigate();
  const steps = [{ nodeId: null, name: site }, ...trail];
  return (
    <Breadcrumb className={styles.root} aria-label={text('shell.breadcrumb')}>
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
