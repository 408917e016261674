import { Alert, Button } from '@patternfly/react-core';
import { useTranslation } from 'react-i18next';

interface Props {
  error: Error;
  /** Asks again. */
  onRetry: () => void;
  title?: string;
  component?: 'h2' | 'h3';
}

/** Says that the array did not answer a query, and repeats it on demand. */
export function Failure({ error, onRetry, title, component = 'h2' }: Props) {
  const { t } = useTranslation();
  return (
    <Alert
      component={component}
      isInline
      variant="danger"
      title={title ?? t('This could not be refreshed.')}
      actionLinks={
        <Button variant="link" isInline onClick={onRetry}>
          {t('Try again')}
        </Button>
      }
    >
      {error.message}
    </Alert>
  );
}

interface ListProps {
  error: Error;
  onRetry: () => void;
  /** When the shown data were read, in milliseconds since 1970; 0 where nothing is shown. */
  time: number;
}

/** The same of a list, which stays as it was. */
export function ListFailure({ error, onRetry, time: moment }: ListProps) {
  const { t, i18n } = useTranslation();
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'medium' }).format(moment);
  return (
    <Failure
      error={error}
      onRetry={onRetry}
      title={
        moment
          ? t('The list could not be refreshed. It is as of {{time}}.', { time })
          : t('The list could not be loaded.')
      }
    />
  );
}
