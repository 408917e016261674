import { useTranslation } from 'react-i18next';

import type { ReleaseChanges } from './software';

/** The changes of an update: those of `releases` between the running one and the package's. */
export function Changes({ releases }: { releases: ReleaseChanges[] }) {
  const { t } = useTranslation();
  if (releases.length === 0) return null;
  return (
    <details className="packages-changes">
      <summary>{t('What it brings')}</summary>
      {releases.map(({ version, date, changes = [] }) => (
        <section key={version} lang="en">
          <h3>{[version, date].filter(Boolean).join(' · ')}</h3>
          <ul>
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </section>
      ))}
    </details>
  );
}
