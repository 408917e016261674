import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { PageHead } from '../../base/PageHead';

interface Licensed {
  name: string;
  version: string;
  licence: string;
  text: string;
}

/** The packages in these pages, and their licences. */
export default function LicencesPage() {
  const { t } = useTranslation();
  const { data = [] } = useQuery({
    queryKey: ['licences'],
    meta: { isLasting: true },
    staleTime: Infinity,
    queryFn: async () => (await (await fetch('/licences.json')).json()) as Licensed[],
  });
  return (
    <div className="page">
      <PageHead
        title={t('Licences')}
        help={t('Sanstone is under the Apache License 2.0. These pages also contain:')}
      />
      {data.map(({ name, version, licence, text }) => (
        <details key={name} className="card">
          <summary>
            {name} {version} <span className="quiet">{licence}</span>
          </summary>
          <pre tabIndex={0}>{text}</pre>
        </details>
      ))}
    </div>
  );
}
