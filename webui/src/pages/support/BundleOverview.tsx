import { useTranslation } from 'react-i18next';

import { ReasonedButton } from '../../base/ReasonedButton';
import type { OverviewProps } from '../../resources/presentation';
import { useDisabledReason } from '../../session/useSession';

const BUNDLES = 'support/bundles';

/** Whether a support bundle is there, and the file of it. */
export default function BundleOverview({ record }: OverviewProps) {
  const { t } = useTranslation();
  // Who may make one may download one.
  const reason = useDisabledReason()('POST', BUNDLES);
  const missing = (record['missing'] as unknown[] | undefined)?.length ?? 0;
  const text = {
    available: t(
      'This file has all that support needs: the journal, the configuration, the figures of the last days and the state of the kernel. No secret is in it.',
    ),
    creating: t('The array is making the file.'),
    lost: t('The file is lost; delete this bundle, and make another.'),
  }[String(record['state'])];

  return (
    <section className="card" aria-label={t('File')}>
      <h2>{t('File')}</h2>
      <p>{text}</p>
      {missing > 0 && (
        <p>
          {t('{{count}} parts could not be collected; they are named below with the reasons.', {
            count: missing,
          })}
        </p>
      )}
      {record['state'] === 'available' &&
        (reason ? (
          <ReasonedButton variant="primary" reason={reason}>
            {t('Download')}
          </ReasonedButton>
        ) : (
          <ReasonedButton
            variant="primary"
            component="a"
            href={`/api/${BUNDLES}/${String(record['uuid'])}/file`}
            download
          >
            {t('Download')}
          </ReasonedButton>
        ))}
    </section>
  );
}
