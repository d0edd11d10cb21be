# Evaluates a formula as Homebrew would for each machine that it names, without
# Homebrew: the words that it uses are here. Its archives must have the sums that it
# says, and where one fits this machine it is installed and tested.
#
#   ruby formula.rb DIST WORK
require 'digest'
require 'fileutils'
require 'pathname'

DIST, WORK = ARGV.map { |dir| Pathname(File.expand_path(dir)) }
HERE = [/darwin/.match?(RUBY_PLATFORM) ? :macos : :linux, /^(arm|aarch)/.match?(RUBY_PLATFORM) ? :arm : :intel]

class Pathname
  def install(*what)
    mkpath
    what.flatten.each { |path| FileUtils.cp_r(path, self) }
  end
end

# Source is what an archive is fetched by.
class Source
  def initialize(&block) = instance_eval(&block)
  def url(text = nil) = text ? @url = text : @url
  def sha256(text = nil) = text ? @sha256 = text : @sha256

  # stage unpacks the archive and goes into the directory in it.
  def stage
    archive = DIST + File.basename(url)
    raise "#{archive}: another sum" if Digest::SHA256.file(archive).hexdigest != sha256
    (dir = WORK + 'archives' + archive.basename).mkpath
    system('tar', '-xf', archive.to_s, '-C', dir.to_s, exception: true)
    Dir.chdir(dir.children.fetch(0)) { yield }
  end
end

class Formula
  class << self
    attr_accessor :machine, :main, :resources, :code
    %i[desc homepage version license].each do |word|
      define_method(word) { |text = nil| text ? instance_variable_set("@#{word}", text) : instance_variable_get("@#{word}") }
    end
    %i[macos linux arm intel].each { |word| define_method("on_#{word}") { |&block| block.call if machine.include?(word) } }
    def url(text) = @address = text
    def sha256(text) = (address, self.main = @address, nil; self.main = Source.new { url address; sha256 text })
    def resource(name, &block) = resources[name] = Source.new(&block)
    def test(&block) = self.code = block
  end

  def prefix = WORK + 'prefix'
  def bin = prefix + 'bin'
  def share = prefix + 'share'
  def version = self.class.version
  def resource(name) = self.class.resources.fetch(name)

  def shell_output(command, status = 0)
    out = `#{command} </dev/null`
    raise "#{command}: status #{$?.exitstatus}" if $?.exitstatus != status
    out
  end

  def assert_match(what, text) = text.include?(what) || raise("no #{what} in #{text}")
end

tried = 0
%i[macos linux].product(%i[arm intel]).each do |machine|
  Object.send(:remove_const, :Bashgate) if defined?(Bashgate)
  Formula.class_eval { @inherited = machine }
  def Formula.inherited(formula) = (formula.machine, formula.resources = @inherited, {})
  load DIST + 'bashgate.rb'
  raise "desc has #{Bashgate.desc.size + 10} characters with the name" if Bashgate.desc.size + 10 > 80
  next unless Bashgate.main

  [Bashgate.main, *Bashgate.resources.values].each { |source| source.stage { raise 'no bin' unless File.directory?('bin') } }
  FileUtils.rm_rf(WORK + 'archives')
  next unless machine == HERE

  Bashgate.main.stage { Bashgate.new.install }
  Bashgate.new.instance_eval(&Bashgate.code)
  tried += 1
end
raise 'nothing is for this machine' if tried.zero?
