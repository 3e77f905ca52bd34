/**
 * Given names in use in Romania, folded. Two of them that differ by one letter (Sorina and Corina, Costin and Cosmin) are
 * two names, not a typing error.
 */
export const GIVEN_NAMES: ReadonlySet<string> = new Set(
  `ada adela adelin adelina adina adrian adriana agata aglaia agneta agripina aida alberta albert albertina alex
  alexa alexandra alexandrina alexandrin alexandru alexe alexia alida alin alina alis alisa alma alexis amalia amelia amina
  ana anabela anamaria anastasia anca anda andra andrada andrea andreea andreia andrei aneta anela anelia angel angela
  angelica angelina angelo anghel anghelina anica anisia anisoara anita anna anton antoaneta antonel antonela antoneta antonia
  antonio antoniu anuta ariana arina arabela armand artemiza arthur artur arsenie atena atanasie augustin augustina aura aurel
  aurelia aurelian aureliu aurica aurora avram axinia axente barbu bartolomeu beatrice beatrix benedict beniamin benone bernard
  betina bianca bogdan bogdana brandusa bratu brigitta bujor calin calina camelia camil camila carina carla carmen
  carmina carmela carol carola carolina casandra casian catalin catalina caterina catinca catrina cazimir cecilia cela celestina
  celia cella cezar cezara cezarina chiriac ciprian ciprina clara clarisa claudia claudiu clementina codin codrin codrina codrut
  codruta constanta constantin constantina consuela coralia corina corneliu cornel cornelia corin coriolan cosma cosmin cosmina
  costache costel costela costi costica costin costina crina crin crinu crinuta cristea cristi cristian cristiana cristina cristinel
  cristofor dafina dalia damian damiana dan dana daniel daniela danut danuta daria darian darie darina dariana darius dariu
  david debora decebal delia demetra denis denisa denise despina diana didina dimitrie dinu dionisie dita doina
  doinita dominic dominica dominique domnica donca dora doriana dorian dorel dorela dorin dorina doru dragan dragana dragomir
  dragos dumitra dumitrana dumitrita dumitru ecaterina edgar edi edit edita edmond eduard eduarda edvin edith elena elisa
  eliana elisabeta elisaveta eliza elodia elvira elvis emanoil emanuel emanuela emil emila emilia emilian emiliana emma ema
  enache erica erik eric erika ernest ernestina ervin estera etelca eudochia eufrosina eugen eugenia eugeniu eusebiu eva
  evanghelia evelina fabian fabiana fabiola fanel fania fanica fatima felicia felician felix ferdinand filip filofteia filoteia
  fira firuta flaviu flavia flavian flavius floarea floare florea florel florentin florentina flori florica florian floriana florida
  florin florina floriana francesca francisc francisca frusina gabi gabriel gabriela gavril gavrila gavriil gelu gelica genel
  genica genoveva geanina geanin george georgel georgeta georgian georgiana georgica geta gheorghe gheorghina gheorghita ghiocel
  ghita gica gina giulia giorgiana giorgian gloria grati gratian gratiana gratiela greta grigore haralambie haralamb henric
  henrieta hermina horatiu horea horia horatia hortensia hrisanta iacob ianis iasmina ica ida iftimie ieremia ignat ileana iliana
  ilarion ilie ilinca ilona imre ina ines ioachim ioan ioana ioanid ioanida ion ionas ionel ionela ionelia ionica ionita ionut ionuta
  iosef iosefina iosif irena irina iris irinel irma iuliana iulia iulian iulica iulica iuliu iulius iustin iustina iustinian
  ivan ivona izabela izabella jan jana jean jeana jeni jenica julia juliana julieta justin kalman karina katalin klara kevin
  lacramioara ladislau lacrima larisa larissa laszlo laura laurentia laurentiu lavinia lavina lazar lea leana lelia lena
  lenuta leon leona leonard leonardo leonid leonida leonora leontin leontina letitia lia liana lica licuta lidia ligia lili
  lilian liliana lina linda linica liuba liubov liviu livia livius liviana lola loredan loredana lorena lorin lorina luana luca luchian
  lucia lucian luciana lucica lucretia lucretiu ludmila ludovic ludovica luisa luiza luiz luis lumina luminita maftei
  magda magdalena magdalina maia malina malvina manole manuel manuela mara marcel marcela marcelin marcelina marcu marcus
  margareta margarita maria mariana marian marica marieta marilena marin marina marinel marinela marinica marioara marion mario marius
  marioara maricica maricel maricela marcello marta martha martin martina martine matei mateiu matea matilda maura maxim
  maximilian medeea melania melinda melisa melissa mia mica micaela mihael mihaela mihai mihaiela mihail mihaila mihaita mihnea mikhail
  milan milena milica milos mimi mina mioara mira mirabela mircea mirel mirela mirica mirona miron miruna mirza mitica mitra mitrut
  moise monalisa monica mona monika morana nadia nadejda narcis narcisa natalia natalita natasa nastasia neagu neculai nela nelia
  neli nelu nelica nelida neluta nelly nestor nichita nicolae nicoleta nicolai nicola nicolas nicu nicusor niculina niculae niculaie nina
  ninel ninela nistor norbert norica norina nora noemi noel noela oana octav octavia octavian octaviana octavianus odeta
  ofelia olga olia olimpia olimpiu olimpian olivia oliviu olivian olivier oltea opris oresta orlando otilia otto ovidiu ovidia
  pamela pamfil panait pantelimon pantelie parascheva paraschiva patricia patric patrick patriciu pascal paul paula paulian
  pauliana paulica paulin paulina pavel pavelina pavlina petra petre petrea petrica petrina petrisor petronela petronia petru petruta
  petrus philip piroska pompiliu pompilia porfir profira rada radita radoslav radovan radu radut raduca rafael rafaela rafila
  rahela raisa raluca ramon ramona ramiro rares raul raveca razvan rebeca rebecca regina reghina relu remus renata renate
  rica ricardo richard rica rita robert roberta roberto rodica rodion rodrigo roland rolanda roman romana romanita romelia
  romeo romica romina romul romulus ronald rosalia rosita roxana roza rozalia rozica rusalina ruth ruxanda ruxandra sabin sabina
  sabrina safta salomea salomeia samuel samuela samuil sanda sandel sandra sandrina sandu sandica sanziana sara sarah sarmiza saveta
  saveta saviana savin savina scarlat sebastian sebastiana selena selma semida septimiu septimia serafim serafima serafina serban
  serenella sergiu sergiana sever severa severin severina sevastita sica sidonia sigismund silvan silvana silvestru silvia silvian
  silviana silviu silvica simina simion simeon simona simon simonel sinziana smarald smaranda smarandita sofia sofica sonia soni
  sonja sorana sorel sorela sorin sorina spiridon stana stan stanca stancu stanislav stefan stefana stefania stefanel stefanita
  stefanuta stela stelian steliana stelica stelu stelus stelut steluta suciu sultana suzana susana tabita tamara tamas tanase tania
  tanasica tanita tanta tatiana teo teodor teodora teodorina teodosia teodosie teofan teofana teofil teofila teohari teona teora tereza
  terezia theodor theodora tiberia tiberiu tibor timeea timea timofte timotei tinca tinuta titel titiana titian titiana titi titu
  titus toader todor todora todoran toma tomita tomis traian traiana trandafir trandafira tudor tudora tudorel tudorica tudorina
  tudorita tudose ulpia ursula ursu valentin valentina valer valera valeria valerian valeriana valerica valeriu valerius varvara
  vadim vali valter vasil vasile vasilica vasilina vasilena vasilie vasilisa vasilut vera verginel verginia verginica veronel veronica
  veronika vernona veta vicentiu victor victoras victoria victorin victorina victoria vicol vilma viola violeta violet
  violin viorel viorela viorica vioricel virgil virgiliu virginel virginia virginica visarion vitalie vlad vladimir vladimira
  vladut voica voichita voicu voinea walter wanda vanda viviana vivian vivien xenia yasmina yvonne zaharia zaharie zamfir zamfira
  zeno zenovia zenobia zenovie zina zinaida zinica zita zoe zoia zoltan zorel zorela zorica zorin zorina istvan ferenc gabor
  gyorgy janos jozsef lajos sandor zsolt attila csaba levente endre bela erzsebet katalin maria eva ildiko edit zsuzsanna
  kinga reka timea tunde agnes annamaria monika emese eniko melinda orsolya szilvia csilla anita erika iren`.split(
    /\s+/,
  ),
)
