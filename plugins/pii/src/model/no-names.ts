import { works } from '../recognizers/data/works.js'
import { software } from './software.js'

/**
 * Words that models of names take for persons and places: software, protocols, signals, and names that are given to
 * things. They are no personal information by themselves. Words that are names of people, too (Julia, Ruby, Jenkins),
 * are not among them.
 */

const technology =
  'Airflow|Ajax|Alpine|Android|Angular|Ansible|Apache|Arduino|Azure|Babel|Bash|Bazel|Bitbucket|Bootstrap|Bun|Celery|CentOS|Chef|Chrome|Chromium|Clang|Clojure|CMake|Cobol|Cuda|Cypress|Debian|Deno|Django|Docker|Dockerfile|Drupal|Eclipse|Elasticsearch|Electron|Elixir|Emacs|Erlang|Ethernet|Excel|Express|Fastify|Fedora|Firebase|Firefox|Flask|Flink|Flutter|Fortran|Gatsby|Gentoo|Git|GitHub|GitLab|Go|Golang|Gradle|Grafana|GraphQL|Groovy|Grunt|Gulp|Hadoop|Haskell|Helm|Heroku|Hibernate|Hive|Homebrew|iOS|IntelliJ|Istio|Java|JavaScript|Jest|Jira|Joomla|jQuery|Jupyter|Kafka|Keras|Kibana|Kotlin|Kubernetes|Laravel|LaTeX|Linux|Lisp|Logstash|Lua|Lucene|macOS|Magento|MariaDB|Markdown|Matlab|Maven|Memcached|Mercurial|MongoDB|MySQL|NGINX|Node|Notepad|NumPy|OCaml|OpenSSL|Oracle|Outlook|Pandas|Perl|Photoshop|PHP|Pip|Podman|Postgres|PostgreSQL|Postman|PowerPoint|PowerShell|Prisma|Prolog|Prometheus|Puppet|PyCharm|PyTorch|Python|Qt|RabbitMQ|Raspberry Pi|React|Redis|Redux|Rust|Safari|Salesforce|SAP|Sass|Scala|Scheme|Scikit|Scipy|Scratch|Selenium|SharePoint|Shopify|Sinatra|Slack|Solaris|Solr|Spark|Splunk|Spotify|Spring|SQLite|Subversion|SUSE|Svelte|Swagger|Swift|Symfony|Teams|TensorFlow|Terraform|Tomcat|TypeScript|Ubuntu|Unicode|Unity|Unix|Unreal|Vagrant|Vault|Vim|Vite|Vue|Webpack|WhatsApp|Windows|Wireshark|Word|WordPress|Xcode|XML|YAML|Yarn|YouTube|Zabbix|Zig|Zoom|Zookeeper'

const signals =
  'malloc|calloc|realloc|free|printf|scanf|sizeof|SIGKILL|SIGTERM|SIGINT|SIGHUP|SIGSEGV|SIGSTOP|localhost|sudo|chmod|grep|awk|sed|stdin|stdout|stderr|Bluetooth|Wi-Fi|Ethernet|HTTP|HTTPS|TCP|UDP|DNS|SSH|FTP|SMTP|IMAP|CAP|ACID|CRUD|REST|SOAP|JSON|CSV|PDF|USB|CPU|GPU|RAM|SSD|API|SDK|CLI|GUI|IDE|SQL|HTML|CSS'

/** What is called after people and places, or what models find of it. */
const named =
  'Alzheimer’s|Parkinson’s|Crohn’s|Hodgkin’s|Huntington’s|Tourette’s|Asperger’s|Caesar salad|Beef Wellington|Bolognese|Béarnaise|Hollandaise|Dijkstra’s|Bayes’|Fibonacci|Pythagoras|Gaussian|Monte Carlo|Celsius|Fahrenheit|Volt|Christmas|Easter|Hanukkah|Ramadan|Halloween|Thanksgiving|Diwali'

/** In examples of programs. */
const placeholders = 'Foo|Bar|Baz|Qux|Foobar|Lorem|Ipsum|Lorem Ipsum|Hello World|Hallo Welt|Welt'

const substances =
  'acetaldehyde|acetate|acetone|Aceton|acetylene|ammonia|Ammoniak|aniline|aspirin|benzene|Benzol|butane|Butan|butanol|caffeine|chloroform|cortisol|dopamine|ethane|Ethan-1-ol|ethanol|éthanol|etanol|etanolo|ethylene|formaldehyde|fructose|glucose|glycerol|Glycerin|glycine|hexane|ibuprofen|insulin|isopropanol|Isopropyl|ketone|lactose|melatonin|methane|methanol|méthanol|metanol|metanolo|octane|Oktan|paracetamol|penicillin|pentane|phenol|propane|Propan|propanol|serotonin|styrene|sucrose|testosterone|toluene|Toluol|urea|xylene|Xylol'

const shops =
  'Aldi|Lidl|Rewe|Edeka|Kaufland|Netto|Tesco|Asda|Waitrose|Carrefour|Auchan|Intermarché|Mercadona|Eroski|Esselunga|Migros|Billa|Albert Heijn|Biedronka|IKEA|Costco|Walmart|Walgreens|Safeway|Kroger|Starbucks|McDonald’s|Burger King|Decathlon|Primark|Uniqlo|MediaMarkt'

const normal = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll("'", '’')
    .replace(/[.,:;!?]+$/, '')

/** Of software, and of people, too. */
const ofBoth =
  'Ada|Alexa|Apollo|Bamboo|Chai|Chef|Claude|Cortana|Crystal|Dart|Django|Elm|Ember|Flask|Haskell|Hudson|Jasmine|Jenkins|Julia|Karma|Maven|Mocha|Pascal|Puppet|Ruby|Siri|Spring|Travis|Watson'

const setOf = (...lists: string[]): ReadonlySet<string> =>
  new Set(lists.flatMap((words) => words.split('|')).map(normal))

const technical = setOf(technology, signals, software.replaceAll(' ', '|'))
const known = new Set([...technical, ...setOf(named, placeholders, substances, shops), ...works])
const ambiguous = setOf(ofBoth)

/** Whether a text is, as a whole, a word that names nobody and no place. */
export const isNoName = (text: string): boolean => known.has(normal(text))

/** Whether a text is, as a whole, a name of software as well as of people. */
export const isSoftwareToo = (text: string): boolean => ambiguous.has(normal(text))

/** Whether a text speaks of software. */
export const isTechnical = (text: string): boolean =>
  [...text.matchAll(/\p{L}[\p{L}\d+.-]{2,20}/gu)].some(([word]) => /\p{Lu}/u.test(word) && technical.has(normal(word)))
