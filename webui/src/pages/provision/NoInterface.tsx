import { Alert } from '@patternfly/react-core';
import { useTranslation } from 'react-i18next';

import { PageLink } from '../../base/PageLink';
import { isFibreChannel, type Protocol } from './commandParts';

interface Props {
  protocol: Protocol;
  component: 'h2' | 'h3';
  /** Of the page that creates one. */
  query?: string;
}

/** Says that hosts cannot reach an SVM by a protocol, and leads to the form of an interface. */
export function NoInterface({ protocol, component, query = '' }: Props) {
  const { t } = useTranslation();
  const kind = isFibreChannel(protocol) ? 'fc' : 'ip';
  return (
    <Alert
      component={component}
      isInline
      variant="warning"
      title={t('The SVM has no network interface for this protocol: no host reaches it.')}
      actionLinks={
        <PageLink to={`/network/${kind}/interfaces/~new${query}`}>
          {t('Create an interface')}
        </PageLink>
      }
    />
  );
}
